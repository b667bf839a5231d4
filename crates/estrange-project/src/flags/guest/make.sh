# Makefiles alone, run with the tracing compiler.
. "$INPUT/guest/prepare.sh"
PATH=$scratch/trace/bin:$PATH
trace "$@"
finish
