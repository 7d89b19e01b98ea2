// What a start and `doctor` require of an account: an agent that may sign for it, and margin that the bot can count.
import type { z } from 'zod';
import { type Clock, DAY, type Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { HyperliquidKey } from './key.ts';
import type { AskInfo } from './requests.ts';
import * as shapes from './shapes.ts';

/** How long before its end an agent is reported. An agent that has ended cannot cancel. */
const EXPIRES_SOON: Millis = 7 * DAY;
/** The modes in which the margin of perpetuals is apart from other balances. */
const MODES: readonly string[] = ['disabled', 'default'];

export interface AccountCheck {
  readonly ask: AskInfo;
  readonly clock: Clock;
  readonly key: HyperliquidKey;
  readonly log: { warn(text: string): void };
}

/** Throws a UserError `account` if the key cannot trade the account, or if its mode or a position is none that the bot can count. */
export async function checkAccount({ ask, clock, key, log }: AccountCheck): Promise<void> {
  const { agent, master } = key;
  const found = await ask('userRole', { shape: shapes.role }, { user: agent });
  if (found.role !== 'agent')
    throw wrong(
      found.role === 'missing'
        ? `the key ${agent} is not approved by any account`
        : `${agent} is the address of an account, not of an agent`,
      'approve it as an API wallet on the page of the exchange, and write its key and the address of the account into the key file',
    );
  if (found.data.user !== master)
    throw wrong(`the agent ${agent} signs for ${found.data.user}, not for ${master}`, 'correct the address in the key file');
  const ending = await endingOf(ask, key, clock.now());
  if (ending !== undefined) log.warn(ending);
  const mode = await ask('userAbstraction', { shape: shapes.abstraction }, { user: master });
  if (!MODES.includes(mode))
    throw wrong(
      `the account ${master} has the mode ${mode}, in which margin is shared with other balances`,
      'turn it off, or use another account',
    );
  const { assetPositions } = await ask('clearinghouseState', { shape: shapes.state }, { user: master });
  const isolated = assetPositions.find(({ position }) => position.leverage.type === 'isolated')?.position;
  if (isolated !== undefined)
    throw wrong(`the account has an isolated position in ${isolated.coin}`, 'close it, or change it to cross margin');
}

/** Returns what a person should know if the agent ends soon. The exchange does not list an agent without a name, which never ends by its name. */
export async function endingOf(ask: AskInfo, { agent, master }: HyperliquidKey, now: Millis): Promise<string | undefined> {
  const agents = await ask('extraAgents', { shape: shapes.agents }, { user: master });
  const { validUntil } = agents.find(({ address }) => address === agent) ?? {};
  if (validUntil === undefined || validUntil - now >= EXPIRES_SOON) return undefined;
  return `the agent ${agent} ends at ${timeText(validUntil)}: it can cancel nothing afterwards; approve another one`;
}

/** Returns the leverage in force. Throws a UserError `account` if it is of isolated margin. */
export function checkLeverage({ symbol }: Market, { type, value }: z.output<typeof shapes.leverageInForce>): number {
  if (type === 'cross') return value;
  throw wrong(`the account trades ${symbol} with isolated margin`, 'set cross margin for it on the page of the exchange');
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'account', message, hint });
