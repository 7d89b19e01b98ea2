// Who may sign for whom, and the nonces of each signer.

import { DAY, MINUTE, type Millis } from '../../../base/clock.ts';

export interface Agent {
  /** Address of the account for which it signs. */
  readonly master: string;
  readonly name: string;
  readonly validUntil: Millis;
}

/** A nonce must be above the 100th highest used nonce of its signer. */
const NEWEST_NONCES = 100;
/** The window of nonces around the exchange's time, two minutes narrower than documented, as measured. */
const EARLIEST: Millis = 2 * DAY - 2 * MINUTE;
const LATEST: Millis = DAY - 2 * MINUTE;
const LONGEST_LIFE: Millis = 180 * DAY;

/** Addresses are in lower case. */
export class SigningRights {
  readonly #agents = new Map<string, Agent>();
  readonly #nonces = new Map<string, Set<number>>();

  agent(address: string): Agent | undefined {
    return this.#agents.get(address);
  }

  agentsOf(master: string): readonly (Agent & { address: string })[] {
    return [...this.#agents].flatMap(([address, agent]) => (agent.master === master ? [{ ...agent, address }] : []));
  }

  /** A new agent replaces the earlier one of the same name. A name may end with `valid_until` and a time. */
  approve(address: string, { master, named, now }: { master: string; named: string; now: Millis }): void {
    const [, name = named, until] = /^(.*?) ?valid_until (\d+)$/.exec(named) ?? [];
    for (const old of this.agentsOf(master)) if (old.name === name) this.#agents.delete(old.address);
    this.#agents.set(address, { master, name, validUntil: Math.min(Number(until ?? Number.POSITIVE_INFINITY), now + LONGEST_LIFE) });
  }

  /** Returns the address of the account for which a signer acts: its own, or its master's; undefined if the agent's approval has expired. */
  masterOf(signer: string, now: Millis): string | undefined {
    const agent = this.#agents.get(signer);
    if (agent === undefined) return signer;
    return agent.validUntil > now ? agent.master : undefined;
  }

  /** Consumes a nonce. Returns why it is refused, and then consumes nothing. */
  take(signer: string, nonce: number, now: Millis): string | undefined {
    const used = this.#nonces.get(signer) ?? new Set();
    this.#nonces.set(signer, used);
    if (used.has(nonce)) return `Invalid nonce: duplicate nonce ${nonce}`;
    const newest = [...used].sort((a, b) => b - a).slice(0, NEWEST_NONCES);
    const floor = newest.length < NEWEST_NONCES ? 0 : newest.at(-1)!;
    const min = Math.max(floor + 1, now - EARLIEST);
    if (nonce < min) return `Invalid nonce: nonce too low ${nonce} < ${min}`;
    if (nonce > now + LATEST) return `Invalid nonce: nonce too high ${nonce} > ${now + LATEST}`;
    used.add(nonce);
    for (const old of used) if (old < now - EARLIEST) used.delete(old);
    return undefined;
  }
}
