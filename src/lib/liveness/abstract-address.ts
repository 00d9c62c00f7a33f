const ADDRESS_BYTES = 108;

/**
 * An abstract Unix socket address, padded with NUL to the whole of sun_path as all programs of the rig do: the kernel
 * compares all bytes. It has no file, and the kernel frees it when the process ends. @param name at most 107 bytes
 */
export function abstractAddress(name: string): string {
  return `\0${name}`.padEnd(ADDRESS_BYTES, '\0');
}
