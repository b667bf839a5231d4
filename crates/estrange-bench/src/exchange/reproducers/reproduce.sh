#!/bin/sh
# Runs both sides on the trigger. It ends with 0 if the vulnerable side faults as it should and the patched one does not.
# What each of them said is in the build's folder, in vulnerable.err and patched.err.

build=$1
class='@CLASS@'
fault='@FAULT@'
access='@ACCESS@'
any='@ANY@'
ASAN_OPTIONS=detect_leaks=@LEAKS@:alloc_dealloc_mismatch=@MISMATCH@:detect_stack_use_after_return=1:allocator_may_return_null=1
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS

run() {
    rm -rf "$build/$1.work"
    mkdir "$build/$1.work" || exit 2
    (cd "$build/$1.work" && exec timeout 60 "../$1") <"/dev/null" >"$build/$1.out" 2>"$build/$1.err"
}

where="$(basename "$(dirname "$PWD")")/$(basename "$PWD") by ${build#build-}"
run vulnerable
if ! grep -aEq "$fault" "$build/vulnerable.err" || ! grep -aEq "$access" "$build/vulnerable.err"; then
    echo "NOT REPRODUCED $where: the vulnerable side has no $class; see $build/vulnerable.err"
    exit 1
fi
run patched
code=$?
# Ended by a signal other than abort, or too late.
case $code in 124 | 132 | 133 | 135 | 136 | 139) is_clean=no ;; *) is_clean=yes ;; esac
if [ $is_clean = no ] || grep -aEq "$any" "$build/patched.err"; then
    echo "NOT REPRODUCED $where: the patched side is not clean; see $build/patched.err"
    exit 1
fi
echo "reproduced $where: $class"
