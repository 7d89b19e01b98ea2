// The options of `bot exchange`.
import { toDecimal } from '../../../bot/domain/numbers.ts';
import { DEFAULT_FUNDS } from '../../../embedded/exchange/state/listing.ts';
import { MARKET } from '../../common-options.ts';
import { asText, defineCommand, type FlagsOf, option } from '../../declared.ts';
import { faucetOf, portOf, speedOf } from '../../values.ts';

export const EXCHANGE = defineCommand({
  name: 'exchange',
  about: 'run the embedded exchange alone, over HTTP on this machine',
  options: [
    option('--hosted-port <port>', 'port of its API; 0 is any free port', portOf, 0),
    option('--local-port <port>', 'also serve the API of a local signing process, with a funded account; 0 is any free port', portOf),
    option(
      '--hyperliquid-port <port>',
      "also serve Hyperliquid's API, signed as on testnet; its spot market then takes the fee of a purchase from the tokens; 0 is any free port",
      portOf,
    ),
    option('--seed <text>', 'seed of its simulated traders (default: random; it is printed)'),
    MARKET,
    option('--schema <which>', 'action schema: bundled, or a file', asText, 'bundled'),
    option('--speed <n>', 'simulated seconds per second', speedOf, 1),
    option(
      '--faucet <amount>',
      `quote tokens that each new user receives (default: ${toDecimal(DEFAULT_FUNDS)}); with 0 new users are rejected`,
      faucetOf,
    ),
    option('--json', 'print the addresses as one JSON line'),
  ],
  runsLong: 'serves',
});
export type ExchangeFlags = FlagsOf<typeof EXCHANGE>;
