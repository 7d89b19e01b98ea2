// The options of `bot doctor`.
import type { Command } from 'commander';
import { orWords } from '../../../base/text/or-words.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { exchangeNameOf } from '../../values.ts';
import type { DoctorFlags } from './doctor.ts';

export function addDoctor(program: Command, host: Host, setExitCode: SetExitCode): void {
  const real = host.venues.realNames;
  program
    .command('doctor')
    .description('check machine, state, key and exchange: one line per check, with the remedy for each problem')
    .option('--exchange <kind>', `${orWords(real)} (default: the exchange of the run in --state)`, exchangeNameOf('--exchange', real))
    .option(
      '--url <url>',
      'address of the exchange or of the local process (default: that of the run in --state; without --state the embedded exchange is checked)',
    )
    .option('--key <file>', 'your key file, keystore or signer file')
    .option('--state <dir>', 'state directory of the run (default: all live runs, else the newest)')
    .option('--json', 'one JSON object per line')
    .addHelpText('after', '\nExit codes: 0 no check failed, 1 a check failed, 2 the input is wrong.')
    .action((flags: DoctorFlags) => setExitCode(import('./doctor.ts').then(({ doctor }) => doctor(flags, host))));
}
