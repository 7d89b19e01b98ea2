// The options of `bot doctor`.
import { orWords } from '../../../base/text/phrases.ts';
import { CCXT_NAMES } from '../../../venues/ccxt/kind.ts';
import { JSON_LINES } from '../../common-options.ts';
import { defineCommand, type FlagsOf, option } from '../../declared.ts';
import type { Host } from '../../host.ts';
import { exchangeNameOf } from '../../values.ts';

export const doctorCommand = ({ venues: { realNames: real } }: Host) =>
  defineCommand({
    name: 'doctor',
    about: 'check machine, state, key and exchange: one line per check, with the remedy for each problem',
    options: [
      option(
        '--exchange <kind>',
        `${orWords([...real, CCXT_NAMES])} (default: the exchange of the run in --state)`,
        exchangeNameOf([...real, CCXT_NAMES]),
      ),
      option(
        '--url <url>',
        'address of the exchange or of the local process (default: that of the run in --state; without --state the embedded exchange is checked)',
      ),
      option('--key <file>', 'your key file, keystore or signer file'),
      option('--state <dir>', 'state directory of the run (default: all live runs, else the newest)'),
      JSON_LINES,
    ],
    notes: '\nExit codes: 0 no check failed, 1 a check failed, 2 the input is wrong.',
  });
export type DoctorFlags = FlagsOf<ReturnType<typeof doctorCommand>>;
