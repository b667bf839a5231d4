# Autotools: configure, made first if need be, then make with the tracing compiler.
. "$INPUT/guest/prepare.sh"
PATH=$scratch/trace/bin:$PATH
if [ "$1" = remake ]; then
    shift
    NOCONFIGURE=1 autoreconf -fi </dev/null || exit
else
    shift
fi
sh ./configure --help >"$scratch/out/options" 2>/dev/null </dev/null
sh ./configure --disable-dependency-tracking --disable-silent-rules --disable-maintainer-mode "$@" </dev/null || exit
trace
finish
