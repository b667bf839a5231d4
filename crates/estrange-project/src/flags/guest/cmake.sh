# CMake: its configure step writes a compile database.
. /input/guest/prepare.sh
cmake -S . -B estrange-build -G Ninja -Wno-dev -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DBUILD_TESTING=OFF "$@" </dev/null || failed=yes
cmake -N -LA estrange-build >/scratch/out/options 2>/dev/null
[ -z "${failed-}" ] || exit 1
cp estrange-build/compile_commands.json /scratch/out/
cd estrange-build && generate
finish
