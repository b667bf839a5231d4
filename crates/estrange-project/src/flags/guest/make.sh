# Makefiles alone, run with the tracing compiler.
. /input/guest/prepare.sh
PATH=/scratch/trace/bin:$PATH
trace "$@"
finish
