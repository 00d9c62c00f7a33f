/** Of the emulated machine, beside the image's own SSH server. */
export const ROOT_SSH_PORT = 2222;

const COMMAND = [
  '/usr/sbin/sshd -D -e -f /dev/null',
  `-p ${ROOT_SSH_PORT}`,
  '-h /data/etc/ssh/ssh_host_ed25519_key',
  '-o PermitRootLogin=prohibit-password -o UsePAM=yes -o StrictModes=no -o PidFile=none',
  '-o AuthorizedKeysFile=/run/credentials/@system/test.key',
].join(' ');

/**
 * Unit that QEMU hands to systemd as a credential, by its firmware interface: a second SSH server, for root, with the key of the one
 * who tests. The name of the credential is limited to 55 characters, so the unit is called t.service.
 */
export const rootSshUnit = `[Unit]
Description=Root's shell of the one who tests
After=svc-first-boot.service nftables.service

[Service]
RuntimeDirectory=sshd
RuntimeDirectoryPreserve=yes
ExecStartPre=/usr/sbin/nft add rule inet svc-rig input tcp dport ${ROOT_SSH_PORT} accept
ExecStart=${COMMAND}
Restart=always
KillMode=process
`;
