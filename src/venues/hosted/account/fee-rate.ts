// Reads the account's fee rates from its fee tier.
import { messageOf } from '../../../base/errors.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import type { AccountFees } from '../../../exchange/kit/venue-client.ts';
import type { HostedClient } from '../requests/client.ts';

/** A rate above this is assumed to be in another unit than parts per million. */
const HIGHEST_PPM = 10_000;

/** Returns the fees. Empty, and logged, if the exchange does not provide them. Requested once per start. */
export async function feesOf(account: AccountId, { client, log }: { client: HostedClient; log: Log }): Promise<AccountFees> {
  try {
    const [brackets, tier] = await Promise.all([client.feeBrackets(), client.feeTier(account)]);
    const bracket = brackets.find((one) => one.tier === tier);
    if (bracket === undefined) throw new Error(`no bracket is listed for fee tier ${tier}`);
    const highest = Math.max(bracket.makerFeePpm, bracket.takerFeePpm);
    if (!(highest >= 0 && highest <= HIGHEST_PPM)) throw new Error(`fee tier ${tier} is listed with ${highest} ppm`);
    const all = brackets.flatMap(({ makerFeePpm, takerFeePpm }) => [makerFeePpm, takerFeePpm]);
    const feeRange = { lowest: Math.min(0, ...all) / 1e6, highest: Math.max(...all.map((ppm) => Math.min(ppm, HIGHEST_PPM))) / 1e6 };
    return { feeRange, feeRate: highest / 1e6, fees: { maker: bracket.makerFeePpm / 1e6, taker: bracket.takerFeePpm / 1e6 } };
  } catch (error) {
    log.warn(
      `the fee of the account is not known: ${messageOf(error)}; the guards use limits.margin.feeRate and limits.balance.reserve instead`,
    );
    return {};
  }
}
