/** Of the emulated machine, beside the image's own SSH server. */
export const ROOT_SSH_PORT = 2222;

/** Its own, so that it lets in also where the image's server does not start. */
const HOST_KEY = '/run/sshd/test_host_key';

const COMMAND = [
  '/usr/sbin/sshd -D -e -f /dev/null',
  `-p ${ROOT_SSH_PORT}`,
  `-h ${HOST_KEY}`,
  '-o PermitRootLogin=prohibit-password -o UsePAM=yes -o StrictModes=no -o PidFile=none',
  '-o AuthorizedKeysFile=/run/credentials/@system/test.key',
].join(' ');

/**
 * Unit that QEMU hands to systemd as a credential, by its firmware interface: a second SSH server, for root, with the key of the one
 * who tests. The name of the credential is limited to 55 characters, so the unit is called t.service.
 */
export const rootSshUnit = `[Unit]
Description=Root's shell of the one who tests
After=nftables.service

[Service]
RuntimeDirectory=sshd
RuntimeDirectoryPreserve=yes
ExecStartPre=/bin/sh -c 'test -s ${HOST_KEY} || ssh-keygen -q -t ed25519 -N "" -f ${HOST_KEY}'
ExecStartPre=/usr/sbin/nft add rule inet svc-rig input tcp dport ${ROOT_SSH_PORT} accept
ExecStart=${COMMAND}
Restart=always
KillMode=process
`;
