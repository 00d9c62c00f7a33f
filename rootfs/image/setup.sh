#!/bin/sh
# Runs once in the root file system of the image while that is built (chroot), after Debian's packages and install.sh.
set -eu

mkdir -p /data /boot/firmware /etc/systemd/network
# The image has no password at all, and no key of its own: what one card has, no other has.
passwd --lock root >/dev/null
rm -f /etc/ssh/ssh_host_* /var/lib/systemd/random-seed /var/lib/dbus/machine-id
# Its content is on the data partition; the initial RAM disk mounts it over this file.
echo 00000000000000000000000000000000 >/etc/machine-id
ln -sfn /etc/machine-id /var/lib/dbus/machine-id
ln -sfn /data/etc/hostname /etc/hostname
ln -sfn /data/etc/localtime /etc/localtime
rm -f /etc/timezone
printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n' >/etc/hosts
ln -sfn /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
echo 'LANG=C.UTF-8' >/etc/locale.conf
printf 'svc-rig %s on Debian\n' "$(cat /opt/svc-rig/current/VERSION)" >/etc/issue.net
printf 'svc-rig %s, host \\n, address \\4 \\6\nLog in as operator over SSH.\n\n' "$(cat /opt/svc-rig/current/VERSION)" >/etc/issue

chmod 0755 /usr/lib/svc-rig/*
chmod 0644 /usr/lib/svc-rig/data-folders /usr/lib/svc-rig/only-ssh.nft
systemctl enable --quiet systemd-networkd.service systemd-resolved.service systemd-timesyncd.service nftables.service \
  ssh.service
chmod 0440 /etc/sudoers.d/*
# It would open sockets for SSH that the documentation does not list.
mkdir -p /etc/systemd/system-generators
ln -sfn /dev/null /etc/systemd/system-generators/systemd-ssh-generator
# What waits for a network that need not be there, asks for a password that nobody has, or writes to a root that is read-only.
systemctl disable --quiet wpa_supplicant.service e2scrub_reap.service e2scrub_all.timer
systemctl mask --quiet systemd-networkd-wait-online.service apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer man-db.timer \
  e2scrub_all.timer systemd-firstboot.service sshd-keygen.service systemd-pcrphase.service
# A clock that starts in 1970 begins with the day of the build.
touch /usr/lib/clock-epoch

# Code of the services, compiled once instead of at each start. Node takes it from a folder of the account that runs it, by version, path
# and text of the program; where anything differs it compiles.
compiled=/usr/lib/svc-rig/compiled
rig=/opt/svc-rig/current
install -d -o rig -g rig $compiled
compile() {
  setpriv --reuid rig --regid rig --clear-groups env NODE_COMPILE_CACHE=$compiled PM2_HOME=/tmp/pm2 $rig/node/bin/node "$@" >/dev/null
}
for program in adc-stack adc-uart adc-usb bridge guard lung pump sensors server window; do
  compile $rig/dist/svc-$program.cjs --version
done
compile -e "require('$rig/node_modules/pm2'); require('$rig/node_modules/pm2/lib/Daemon.js'); process.exit()"
chown -R root:root $compiled
chmod -R u=rwX,go=rX $compiled
