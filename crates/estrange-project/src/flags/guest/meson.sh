# Meson: its setup step writes a compile database. Its folder is not CMake's: what both make may lie in one tree.
. "$INPUT/guest/prepare.sh"
meson introspect --buildoptions meson.build >"$scratch/out/options" 2>/dev/null </dev/null
meson setup estrange-meson --wrap-mode=nodownload "$@" </dev/null || exit
cp estrange-meson/compile_commands.json "$scratch/out/"
cd estrange-meson && generate
finish
