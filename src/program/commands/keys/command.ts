// The subcommands of `bot keys`.
import { argument, defineCommand, type FlagsOf, option } from '../../declared.ts';

export const KEYS_NEW = defineCommand({
  name: 'new',
  about: 'make a key file that only you can read',
  args: [argument('<file>')],
});

export const KEYS_SHOW = defineCommand({
  name: 'show',
  about: 'print the public key of a key file, a keystore or a signer file',
  args: [argument('<file>')],
});

export const KEYS_ENCRYPT = defineCommand({
  name: 'encrypt',
  about: 'encrypt a plain key file with a passphrase: writes a keystore beside it',
  args: [argument('<file>')],
  options: [option('--out <file>', 'the keystore to write (default: FILE.keystore)')],
});
export type EncryptFlags = FlagsOf<typeof KEYS_ENCRYPT>;
