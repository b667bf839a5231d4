# Meson: its setup step writes a compile database.
. "$INPUT/guest/prepare.sh"
meson introspect --buildoptions meson.build >"$scratch/out/options" 2>/dev/null </dev/null
meson setup estrange-build --wrap-mode=nodownload "$@" </dev/null || exit
cp estrange-build/compile_commands.json "$scratch/out/"
cd estrange-build && generate
finish
