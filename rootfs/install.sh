#!/bin/sh
# Installs the rig on a Debian or Raspberry Pi OS machine with systemd, or removes it: docs/install.md. Run it in the unpacked
# archive of `npm run image:rootfs`. Installing again changes nothing; settings that exist are kept.
#
#   ./install.sh [--no-start]     install; --no-start: the units start with the next boot
#   ./install.sh --uninstall      remove all but settings (/etc/svc), records (/var/lib/svc) and accounts
#   ./install.sh --purge          remove those too
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=/opt/svc-rig
units="svc-safe-boot.service svc-guard.service svc-guard-partner.service svc-rig.service"
changes=0

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
changed() { changes=$((changes + 1)); say "$*"; }
booted() { [ -d /run/systemd/system ]; }

# Below `system` each file lies by the path at which it is installed.
system_files() { (cd "$here/system" && find . -type f | sed 's|^\.||' | LC_ALL=C sort); }
commands() { (cd "$here/tree/dist" && ls ./*.cjs | sed 's|^\./||; s|\.cjs$||' | LC_ALL=C sort); echo pm2; }

check_machine() {
  [ "$(id -u)" -eq 0 ] || fail "not root: run it by sudo"
  [ -x /usr/bin/systemctl ] || fail "/usr/bin/systemctl is missing: the rig needs Debian 12 or later with systemd"
  for tool in useradd setpriv sudo systemd-sysusers systemd-tmpfiles; do
    command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install passwd util-linux sudo systemd"
  done
  "$here/tree/node/bin/node" -e 0 2>/dev/null ||
    fail "Node of this archive ($(cat "$here/tree/TARGET")) does not start on $(uname -m): choose the archive of this machine; libatomic1 must be installed"
}

install_tree() {
  version=$(cat "$here/tree/VERSION")
  if cmp -s "$here/tree/SHA256SUMS" "$root/$version/SHA256SUMS" &&
    (cd "$root/$version" && sha256sum --quiet --check SHA256SUMS >/dev/null 2>&1); then :; else
    mkdir -p "$root"
    # Whole or not at all: a power cut leaves the old version in use.
    rm -rf "$root/.new"
    cp -R "$here/tree" "$root/.new"
    chown -R root:root "$root/.new"
    chmod -R u=rwX,go=rX "$root/.new"
    sync
    rm -rf "$root/.old"
    [ ! -e "$root/$version" ] || mv "$root/$version" "$root/.old"
    mv "$root/.new" "$root/$version"
    rm -rf "$root/.old"
    changed "installed $root/$version"
  fi
  if [ "$(readlink "$root/current" 2>/dev/null || true)" != "$version" ]; then
    ln -sfn "$version" "$root/.current"
    mv -T "$root/.current" "$root/current"
    changed "$root/current is $version"
  fi
}

# Remembers folders that were not there before: --uninstall removes those and no others.
make_folder() {
  [ -d "$1" ] && return 0
  make_folder "$(dirname "$1")"
  mkdir "$1"
  echo "$1" >>"$root/created-folders"
}

install_file() {
  mode=0644
  case $1 in /etc/sudoers.d/*) mode=0440 ;; esac
  if ! cmp -s "$here/system$1" "$1" || [ "$(stat -c %a "$1")" != "${mode#0}" ]; then
    make_folder "$(dirname "$1")"
    install -m "$mode" -o root -g root "$here/system$1" "$1.svc-rig-new"
    mv "$1.svc-rig-new" "$1"
    changed "installed $1"
  fi
}

install_accounts() {
  systemd-sysusers /usr/lib/sysusers.d/svc-rig.conf
  if ! getent passwd operator >/dev/null; then
    getent group operator >/dev/null || groupadd --system operator
    useradd -m -N -g operator -s /bin/bash -c "Operator of the rig" operator
    # No password, and not locked either, which would refuse a login by key.
    usermod -p '*' operator
    changed "created the account operator: put public keys into ~operator/.ssh/authorized_keys"
  fi
  id -nG operator | tr ' ' '\n' | grep -qx svc || { usermod -a -G svc operator; changed "operator joined the group svc"; }
}

install_settings() {
  systemd-tmpfiles --create /usr/lib/tmpfiles.d/svc-rig.conf
  for name in svc.yaml rig.env bench.yaml; do
    [ -e "/etc/svc/$name" ] && continue
    install -m 0644 -o root -g root "$here/settings/$name" "/etc/svc/$name"
    changed "created /etc/svc/$name"
  done
  # An access token may stand there.
  chgrp svc /etc/svc/rig.env
  chmod 0640 /etc/svc/rig.env
}

install_commands() {
  for name in $(commands); do
    link=/usr/local/bin/$name
    [ "$(readlink "$link" 2>/dev/null || true)" = "$root/current/bin/rig-command" ] && continue
    if [ -e "$link" ] || [ -L "$link" ]; then
      say "$link is another program and is kept: the rig's own is $root/current/bin/rig-command"
      continue
    fi
    make_folder /usr/local/bin
    ln -s "$root/current/bin/rig-command" "$link"
    changed "linked $link"
  done
}

start_units() {
  for unit in $units; do
    systemctl is-enabled --quiet "$unit" 2>/dev/null || { systemctl enable --quiet "$unit"; changed "enabled $unit"; }
  done
  booted || return 0
  [ "$changes" -eq 0 ] || systemctl daemon-reload
  udevadm control --reload 2>/dev/null && udevadm trigger --subsystem-match=tty --subsystem-match=usb --subsystem-match=hidraw 2>/dev/null || true
  if [ "$start" = yes ] && ! systemctl is-active --quiet svc-rig.service; then
    systemctl start svc-rig.service
    changed "started svc-rig.service"
  elif [ "$changes" -gt 0 ] && systemctl is-active --quiet svc-rig.service; then
    say "the running services have not changed: systemctl restart svc-guard svc-rig, which ends a run"
  fi
}

uninstall() {
  if booted; then systemctl stop svc-rig.service svc-guard.service svc-guard-partner.service svc-safe-boot.service 2>/dev/null || true; fi
  for unit in $units; do systemctl disable --quiet "$unit" 2>/dev/null || true; done
  for link in /usr/local/bin/*; do
    [ "$(readlink "$link" 2>/dev/null || true)" = "$root/current/bin/rig-command" ] && rm "$link"
  done
  for file in $(system_files); do
    rm -f "$file"
  done
  if [ -f "$root/created-folders" ]; then
    LC_ALL=C sort -r "$root/created-folders" | while IFS= read -r folder; do
      rmdir --ignore-fail-on-non-empty "$folder" 2>/dev/null || true
    done
  fi
  rm -rf "$root" /run/svc-rig
  if booted; then
    systemctl daemon-reload
    udevadm control --reload 2>/dev/null || true
  fi
  say "removed; settings (/etc/svc), records (/var/lib/svc) and accounts remain: --purge removes them"
}

purge() {
  uninstall >/dev/null
  rm -rf /etc/svc /var/lib/svc
  getent passwd rig >/dev/null && userdel rig
  case $(getent passwd operator) in *"Operator of the rig"*) userdel -r operator 2>/dev/null || userdel operator ;; esac
  for group in svc rig; do ! getent group "$group" >/dev/null || groupdel "$group"; done
  say "removed with settings, records and accounts"
}

start=yes
case ${1-} in
  "" | --no-start)
    [ "${1-}" = "" ] || start=no
    check_machine
    install_tree
    for file in $(system_files); do install_file "$file"; done
    install_accounts
    install_settings
    install_commands
    start_units
    [ "$changes" -gt 0 ] || say "already installed, nothing changed"
    ;;
  --uninstall) [ "$(id -u)" -eq 0 ] || fail "not root: run it by sudo"; uninstall ;;
  --purge) [ "$(id -u)" -eq 0 ] || fail "not root: run it by sudo"; purge ;;
  *) fail "unknown option $1: --no-start, --uninstall or --purge" ;;
esac
