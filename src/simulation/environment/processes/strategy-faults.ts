// A strategy with faults of its own: it throws, or leaves two promises rejected that nobody waits for.
import type { Params, Strategy } from '../../../strategy/contract.ts';
import type { Check, Process, Scene } from '../../invariants/scene.ts';
import type { FaultKind } from '../../plan/faults.ts';

/** Thrown by the plan. */
export class StrategyFault extends Error {
  override readonly name = 'StrategyFault';
}

interface FaultyOptions {
  readonly scene: Pick<Scene, 'faults'>;
  readonly checks: readonly Check[];
  /** A fault strikes only while one of its orders is on its way. */
  readonly process: Process;
  /** What the process does where a promise is rejected that nobody waits for. */
  readonly onUncaught: (thrown: unknown) => void;
}

/** True where what was thrown, or its cause, is by the plan. */
export const isByPlan = (thrown: unknown): boolean =>
  thrown instanceof StrategyFault || (thrown instanceof Error && thrown.cause !== undefined && isByPlan(thrown.cause));

export function faultyStrategy(
  strategy: Strategy<Params>,
  { scene: { faults }, checks, process, onUncaught }: FaultyOptions,
): Strategy<Params> {
  const spent = new Set<string>();
  const struckBy = (kind: FaultKind): boolean => {
    const isBusy = process.trading?.run.world.orders().some(({ status }) => status === 'pending') === true;
    const fault = isBusy ? faults.hit(kind, undefined, ({ id }) => !spent.has(id)) : undefined;
    if (fault === undefined) return false;
    spent.add(fault.id);
    for (const check of checks) check.strategyFailed?.(process);
    return true;
  };
  const uncaught = (): void => {
    if (process.life.alive) onUncaught(new StrategyFault('a promise is rejected, as planned'));
  };
  return {
    ...strategy,
    create(params, tools) {
      const decide = strategy.create(params, tools);
      return (view) => {
        if (struckBy('throws')) throw new StrategyFault('the strategy throws, as planned');
        if (struckBy('rejects')) for (let rejected = 0; rejected < 2; rejected++) queueMicrotask(uncaught);
        return decide(view);
      };
    },
  };
}
