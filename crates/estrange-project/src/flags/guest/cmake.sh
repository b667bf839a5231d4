# CMake: its configure step writes a compile database. `placeholder:FILE` and `placeholder:FOLDER/` stand for what the
# tree lacks and the build lists all the same.
. "$INPUT/guest/prepare.sh"
for word; do
    shift
    case $word in
        placeholder:*/) mkdir -p "${word#*:}" && : >"${word#*:}/CMakeLists.txt" ;;
        placeholder:*) mkdir -p "$(dirname "${word#*:}")" && : >"${word#*:}" ;;
        *) set -- "$@" "$word" ;;
    esac
done
cmake -S . -B estrange-build -G Ninja -Wno-dev -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DBUILD_TESTING=OFF "$@" </dev/null || failed=yes
cmake -N -LA estrange-build >"$scratch/out/options" 2>/dev/null
[ -z "${failed-}" ] || exit
cp estrange-build/compile_commands.json "$scratch/out/"
cd estrange-build && generate
finish
