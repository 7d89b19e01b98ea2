// The subcommands of `bot keys`.
import type { Command } from 'commander';
import { addGroup } from '../../command-groups.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';

export function addKeys(program: Command, host: Host, setExitCode: SetExitCode): void {
  const keys = addGroup(program, { name: 'keys', about: 'make a key file, show its public key, or encrypt it' });
  keys
    .command('new')
    .description('make a key file that only you can read')
    .argument('<file>')
    .action((file: string) => setExitCode(import('./keys.ts').then(({ newKey }) => newKey(file, host))));
  keys
    .command('show')
    .description('print the public key of a key file, a keystore or a signer file')
    .argument('<file>')
    .action((file: string) => setExitCode(import('./keys.ts').then(({ showKey }) => showKey(file, host))));
  keys
    .command('encrypt')
    .description('encrypt a plain key file with a passphrase: writes a keystore beside it')
    .argument('<file>')
    .option('--out <file>', 'the keystore to write (default: FILE.keystore)')
    .action((file: string, { out }: { out?: string }) =>
      setExitCode(import('./keys.ts').then(({ encryptKey }) => encryptKey({ file, out }, host))),
    );
}
