/** Types of public keys that sshd of the image accepts. */
const TYPES = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;
const SHORTEST_RSA_BITS = 2048;
const WHOLE = 'copy the whole line of the file that ends in .pub';

/** @param text one line of a `.pub` file. @returns what is wrong with it and what to do; undefined for a usable public key */
export function sshKeyFault(text: string): string | undefined {
  if (/PRIVATE KEY/.test(text))
    return 'is a private key: it is no secret any more, make a new pair (ssh-keygen -t ed25519) and copy the line of the file that ends in .pub';
  const [type = '', base64 = ''] = text.split(/\s+/);
  if (!TYPES.some((one) => one === type))
    return `does not begin with the type of a public key (${TYPES.slice(0, 3).join(', ')}, ...): ${WHOLE}`;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    return `is cut off or has a foreign character: ${WHOLE}`;
  const fields = fieldsOf(Buffer.from(base64, 'base64'));
  if (fields?.[0]?.toString('latin1') !== type || fields.length < 2)
    return `is not a whole ${type} key: ${WHOLE}`;
  if (type === 'ssh-ed25519' && fields[1]?.length !== 32) return `is not a whole ${type} key: ${WHOLE}`;
  if (type === 'ssh-rsa' && bitsOf(fields[2]) < SHORTEST_RSA_BITS)
    return `has fewer than ${SHORTEST_RSA_BITS} bits: make a new pair (ssh-keygen -t ed25519)`;
  return undefined;
}

/** Strings with their lengths, as in RFC 4253; undefined where the last one is cut off. */
function fieldsOf(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

/** Of a positive number in two's complement. */
function bitsOf(number: Buffer | undefined): number {
  const significant = number && number[0] === 0 ? number.subarray(1) : number;
  return (significant?.length ?? 0) * 8;
}
