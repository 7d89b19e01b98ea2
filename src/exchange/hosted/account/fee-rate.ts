// What the exchange charges the account for a fill, by the fee tier that the account is in.
import { messageOf } from '../../../base/errors.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { HostedClient } from '../client/client.ts';

/** Above this a rate is taken for another unit than parts per million. */
const HIGHEST_PPM = 10_000;

/** The higher of the maker and the taker rate, a fraction; undefined where the exchange does not tell it, which is logged. Asked once a start. */
export async function feeRateOf(account: AccountId, { client, log }: { client: HostedClient; log: Log }): Promise<number | undefined> {
  try {
    const [brackets, tier] = await Promise.all([client.feeBrackets(), client.feeTier(account)]);
    const bracket = brackets.find((one) => one.tier === tier);
    if (bracket === undefined) throw new Error(`no bracket is listed for fee tier ${tier}`);
    const highest = Math.max(bracket.makerFeePpm, bracket.takerFeePpm);
    if (!(highest >= 0 && highest <= HIGHEST_PPM)) throw new Error(`fee tier ${tier} is listed with ${highest} ppm`);
    return highest / 1e6;
  } catch (error) {
    log.warn(
      `the fee of the account is not known: ${messageOf(error)}; the guards reckon with limits.margin.feeRate and limits.balance.reserve`,
    );
    return undefined;
  }
}
