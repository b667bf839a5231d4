# A configure script of the project's own, then make with the tracing compiler.
. "$INPUT/guest/prepare.sh"
PATH=$scratch/trace/bin:$PATH
script=$1
shift
chmod +x "$script"
"./$script" --help >"$scratch/out/options" 2>/dev/null </dev/null
"./$script" "$@" </dev/null || exit
trace
finish
