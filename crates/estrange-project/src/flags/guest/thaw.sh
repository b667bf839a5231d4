#!/bin/sh
# Does for real what a stub stands for: `thaw file FILE` for an object or archive, `thaw link` and `thaw compile` with
# the words of a noted call.
export FOR_REAL=yes
size=$(wc -c <@TRACE@/empty.o)
case $1 in
    file)
        case $2 in
            *.a)
                folder=$(mktemp -d) && archive=$(readlink -f "$2") && cd "$folder" && ar x "$archive" || exit
                for member in *; do @TRACE@/thaw file "$folder/$member"; done
                ar rcs "$archive.real" ./* && mv "$archive.real" "$archive"
                ;;
            *)
                if [ "$(wc -c <"$2")" -gt "$size" ] && head -c "$size" "$2" | cmp -s - @TRACE@/empty.o; then
                    tail -c +$((size + 1)) "$2" | OBJECT=$(readlink -f "$2") xargs -0 @TRACE@/thaw compile
                fi
                ;;
        esac
        ;;
    compile)
        shift 2
        cd "$1" || exit
        shift
        "$@" -w -O0 -o "$OBJECT"
        ;;
    link)
        shift 2
        cd "$1" || exit
        shift
        for word; do
            case $word in
                *.o | *.a) [ -f "$word" ] && @TRACE@/thaw file "$word" ;;
            esac
        done
        "$@" -w
        ;;
esac
