// `run --notify`: the alerts of the run.
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import { Alerts } from '../../../monitoring/alerts/alerts.ts';
import { endingWords } from '../../output/words.ts';
import type { OpenMonitor } from './monitoring.ts';
import type { RunPlan } from './plan.ts';

const SECOND = 1_000;

export function openRunAlerts({ notify: targets, config }: RunPlan, { clock, log }: { clock: Clock; log: Log }): OpenMonitor {
  const { kinds, unknownAfterS, marginShare, groupS, mostAnHour } = config.notify;
  const rules = { kinds: new Set(kinds), unknownAfterMs: unknownAfterS * SECOND, marginShare };
  return {
    begin(watch) {
      const alerts = new Alerts(watch, { clock, log, targets, rules, groupMs: groupS * SECOND, mostAnHour });
      return {
        add: (turn) => alerts.add(turn),
        ended({ ending }) {
          const settled = ending.kind === 'settled';
          alerts.ended(clock.now(), { settled, words: settled ? 'no order is open' : endingWords(ending) });
        },
        close: () => alerts.close(),
      };
    },
    close: () => Promise.resolve(),
  };
}
