# Runs inside the sandbox: unpacks what standard input brings, runs the commands that it is given, and packs what came of
# them. `guest.sh MODE COMMAND...`; MODE is one of
#   image   a clean build: all of the tree is packed
#   delta   a build of an edited tree: only what the build wrote is packed
#   test    the tests: what they wrote and what is left is listed
set -u
umask 022
# The walls make this true. Without them, what follows would end processes of the host.
[ "$HOME" = /scratch ] || exit 97
mode=$1
shift
tar -x -p -i -f - -C /scratch || exit 98
# Nobody can open the archive again: it holds what an answer must not see.
exec </dev/null
rm -rf /scratch/.state /scratch/.report
mkdir -p /scratch/.state /scratch/.report /scratch/.home /scratch/.witness
export HOME=/scratch/.home REPORT=/scratch/.report
if [ "$mode" = image ] && [ -e /scratch/.witness/witness.c ]; then
    cc -shared -fPIC -O1 -w -o /scratch/.witness/witness.so /scratch/.witness/witness.c -ldl || exit 96
fi
cd "/scratch/tree/$FOLDER" || exit 95
if [ "$mode" = test ]; then
    case $REPORT_FILES in
        '') ;;
        */*) rm -f -- $REPORT_FILES ;;
        *) find . -name "$REPORT_FILES" -exec rm -f -- {} + ;;
    esac
fi
: >/scratch/.stamp
sleep 0.02
# After the stamp, so that the edited files are packed with what was built from them, in their order.
if [ "$mode" = delta ]; then
    (cd /scratch/tree && xargs -0 -r touch -c -- </scratch/.edited) || exit 92
fi
status=0 command=0
for line; do
    command=$((command + 1))
    if [ "$mode" = test ] && [ -e /scratch/.witness/witness.so ]; then
        LD_PRELOAD=/scratch/.witness/witness.so sh -c "$line"
    else
        sh -c "$line" 2>&1
    fi
    status=$?
    [ "$status" = 0 ] || break
done
# What is still running now was left behind; one process is the first of the namespace, and one is this shell.
left=0
for process in /proc/[0-9]*; do
    case ${process#/proc/} in
        1 | $$) ;;
        *) left=$((left + 1)) ;;
    esac
done
kill -KILL -1 2>/dev/null
cd /scratch/tree || exit 94
ends=/scratch/.state/ends
[ -f "$ends" ] && [ ! -L "$ends" ] && mv "$ends" /scratch/.ends
rm -rf /scratch/.state
mkdir /scratch/.state || exit 94
[ -f /scratch/.ends ] && mv /scratch/.ends /scratch/.state/ends
case $mode in
    image) [ "$status" != 0 ] || tar --format=posix -C /scratch -cf /scratch/.state/packed.tar tree .witness || exit 93 ;;
    delta)
        if [ "$status" = 0 ]; then
            find . \( -type f -o -type l \) -cnewer /scratch/.stamp -printf 'tree/%P\0' >/scratch/.state/changed
            tar --format=posix -C /scratch --null --no-recursion -T /scratch/.state/changed -cf /scratch/.state/packed.tar || exit 93
        fi
        ;;
    test)
        find . \( -type f -o -type l \) -cnewer /scratch/.stamp -printf '%P\0' >/scratch/.state/changed
        find . ! -type d -printf '%P\0' >/scratch/.state/all
        cd "/scratch/tree/$FOLDER" || exit 94
        case $REPORT_FILES in
            '') ;;
            */*) for file in $REPORT_FILES; do [ ! -e "$file" ] || printf '%s\0' "$file"; done ;;
            *) find . -name "$REPORT_FILES" -printf '%P\0' ;;
        esac >/scratch/.state/reports
        ;;
esac
echo "$status $command $left" >/scratch/.state/status
exit 0
