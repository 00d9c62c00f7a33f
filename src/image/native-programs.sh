#!/bin/sh
# native-programs.sh put|remove ROOT: lends a root file system for another processor programs of this machine, in /svc-native, for
# its installation scripts to find first. They do the same and need no emulation. Those that ask which processor they are built
# for, as dpkg does, are not among them.
set -eu
root=$2
own=$root/svc-native

case $1 in
  put)
    mkdir "$own"
    touch "$own/libraries" "$own/folders"
    packages='coreutils diffutils findutils grep gzip sed tar'
    programs=$(dpkg -L $packages | grep -E '^(/usr)?/s?bin/[^/]+$')
    for name in dpkg-deb dpkg-split zstd xz cpio modprobe; do programs="$programs $(command -v "$name")"; done
    for program in $programs; do
      case $(head -c 4 "$program" | tr -d '\177') in ELF) cp -L "$program" "$own/${program##*/}" ;; esac
    done
    # Each library at the path at which the programs look for it. Debian allows no plain folder /lib64.
    [ -e "$root/lib64" ] || { ln -s usr/lib64 "$root/lib64" && mkdir -p "$root/usr/lib64" && : >"$own/lib64"; }
    for library in $(ldd "$own"/* 2>/dev/null | grep -oE '/[^ ]+\.so[^ ]*' | sort -u); do
      [ ! -e "$root$library" ] || continue
      [ -d "$root${library%/*}" ] || { mkdir -p "$root${library%/*}"; echo "${library%/*}" >>"$own/folders"; }
      cp -L "$library" "$root$library"
      echo "$library" >>"$own/libraries"
    done
    ;;
  remove)
    while read -r library; do rm "$root$library"; done <"$own/libraries"
    while read -r folder; do rmdir "$root$folder"; done <"$own/folders"
    [ ! -e "$own/lib64" ] || { rmdir "$root/usr/lib64" && rm "$root/lib64"; }
    rm -r "$own"
    ;;
esac
