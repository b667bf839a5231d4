#!/bin/sh
# Stands in front of a compiler: lets what it makes count how often each line runs.
name=${0##*/}
exec "/usr/bin/$name" "$@" --coverage -fprofile-update=atomic
