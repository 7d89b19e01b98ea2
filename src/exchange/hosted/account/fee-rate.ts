// The rate that the exchange charges the account for a fill, by the account's fee tier.
import { messageOf } from '../../../base/errors.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { HostedClient } from '../client/client.ts';

/** A rate above this is taken to be in another unit than parts per million. */
const HIGHEST_PPM = 10_000;

/**
 * Returns the higher of the maker and the taker rate as a fraction. Undefined, and logged, if the exchange does not provide it. Requested once per
 * start.
 */
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
      `the fee of the account is not known: ${messageOf(error)}; the guards use limits.margin.feeRate and limits.balance.reserve instead`,
    );
    return undefined;
  }
}
