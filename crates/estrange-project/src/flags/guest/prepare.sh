# Sourced first by every configure step, inside the sandbox: a writable copy of the tree in which every file has the
# same age, so that make remakes nothing that came with the tree, and the tracing compiler in front of the real ones.
set -u
umask 022
scratch=$HOME
mkdir -p "$scratch/tree" "$scratch/trace/bin" "$scratch/out"
cp -RL "$INPUT/tree/." "$scratch/tree" 2>/dev/null
chmod -R u+rwX "$scratch/tree"
find "$scratch/tree" -exec touch -c -d 2001-01-01 {} +
for program in compiler realise thaw; do
    sed "s|@TRACE@|$scratch/trace|g" "$INPUT/guest/$program.sh" >"$scratch/trace/$program"
    chmod +x "$scratch/trace/$program"
done
for compiler in cc gcc c89 c99 clang c++ g++ clang++ "$(uname -m)-linux-gnu-gcc" "$(uname -m)-linux-gnu-g++"; do
    ln -s ../compiler "$scratch/trace/bin/$compiler"
done
: | gcc -c -x c -o "$scratch/trace/empty.o" -
cd "$scratch/tree/$1" || exit
shift

# Headers that a build linked instead of copying are copied after all: links do not leave the sandbox.
finish() {
    find "$scratch/tree" -type l \( -name '*.h' -o -name '*.hpp' -o -name '*.hh' -o -name '*.c' -o -name '*.cpp' -o -name '*.cc' \) |
        while read -r link; do
            target=$(readlink -f "$link") && [ -f "$target" ] && cp --remove-destination "$target" "$link"
        done
    exit 0
}

# Makes what the ninja files in this folder know how to make by commands of their own: generated sources and headers.
generate() {
    ninja -t targets all 2>/dev/null | sed -n 's/^\(.*\): CUSTOM_COMMAND.*$/\1/p' |
        grep -E '\.(h|hh|hpp|hxx|inc|inl|ipp|def|c|cc|cpp|cxx)$' | tr '\n' '\0' |
        timeout 120 xargs -0 -r ninja -k 0 >/dev/null 2>&1
}

# Runs make with the tracing compiler: sources are noted, not compiled.
trace() {
    : >"$scratch/trace/on"
    timeout 200 make -k "$@" </dev/null
    rm "$scratch/trace/on"
}
