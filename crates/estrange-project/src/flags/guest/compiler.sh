#!/bin/sh
# Stands in front of the compilers while make runs. A call that compiles sources is noted and leaves a stub: an empty
# object with the call appended. A call that links leaves a script that, if it is ever run, does the work after all.
name=${0##*/}
real=/usr/bin/$name
[ -x "$real" ] || case $name in *++) real=/usr/bin/g++ ;; *) real=/usr/bin/gcc ;; esac
[ -e @TRACE@/on ] && [ -z "${FOR_REAL-}" ] || exec "$real" "$@"

compile='' output='' sources='' objects='' dependencies='' depends='' next=''
for word; do
    case $next in
        output) output=$word next='' && continue ;;
        depends) depends=$word next='' && continue ;;
        skip) next='' && continue ;;
    esac
    case $word in
        -c) compile=yes ;;
        -o) next=output ;;
        -o*) output=${word#-o} ;;
        -MF) next=depends ;;
        -MF*) depends=${word#-MF} ;;
        -MD | -MMD) dependencies=yes ;;
        -MT | -MQ | -D | -U | -I | -include | -imacros | -isystem | -iquote | -idirafter | -x | -L | -l | -Xlinker) next=skip ;;
        -E | -S | -M | -MM | -fsyntax-only | -v | -V | --version | --help | -dump* | -print-* | '-###' | -) exec "$real" "$@" ;;
        -*) ;;
        conftest.* | */conftest.* | *CMakeFiles/*) exec "$real" "$@" ;;
        *.c | *.cc | *.cp | *.cpp | *.cxx | *.c++ | *.C) sources="$sources
$word" ;;
        *.o | *.lo | *.a | *.so) objects=yes ;;
    esac
done
[ -n "$sources$objects" ] || exec "$real" "$@"

note() { printf '%s\0' "$#" "$PWD" "$@"; }
[ -z "$sources" ] || note "$name" "$@" >>@TRACE@/calls

if [ -n "$compile" ]; then
    stub() {
        object=$1
        shift
        { cat @TRACE@/empty.o && note "$@"; } >"$object"
        [ -z "$dependencies$depends" ] || : >"${depends:-${object%.*}.d}"
    }
    if [ -n "$output" ]; then
        stub "$output" "$name" "$@"
    else
        printf '%s\n' "$sources" | while read -r source; do
            source=${source##*/}
            [ -z "$source" ] || stub "${source%.*}.o" "$name" "$@"
        done
    fi
elif [ -z "$objects" ]; then
    # A program in one step is most often a generator that is about to be run.
    exec "$real" -w "$@"
else
    { echo '#!@TRACE@/realise' && note "$name" "$@"; } >"${output:-a.out}"
    chmod +x "${output:-a.out}"
fi
