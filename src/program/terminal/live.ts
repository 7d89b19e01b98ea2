// The live view of a run on a terminal, and the summary page at its end. view-model-of-run.ts collects the data, frame.ts lays it out, screen.ts draws
// it.
import picocolors from 'picocolors';
import { systemClock } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Line } from '../../bot/accounting/lines.ts';
import type { Trading } from '../../bot/run/core/trading.ts';
import { type Host, say } from '../host.ts';
import { exchangeWords } from '../monitoring/identity.ts';
import type { StatusExtras } from '../monitoring/page/status.ts';
import type { RunWatch } from '../monitoring/watch.ts';
import type { Presenter, ShownFacts } from '../output/presenter.ts';
import { lineWords, outcomeWords } from '../output/words.ts';
import { frame } from './frame.ts';
import { Screen } from './screen.ts';
import type { EventLine } from './view-model.ts';
import { viewModelOf } from './view-model-of-run.ts';

/** Number of events kept per kind, more than any screen shows. */
const REMEMBERED = 30;

/** Returns the presenter of a live view. `warn` adds a text to the alarms. */
export function livePresenter(host: Host, facts: ShownFacts): Required<Presenter> & { warn(text: string): void } {
  const { stdout, env } = host;
  const screen = new Screen(host);
  const colours = picocolors.createColors((env['NO_COLOR'] ?? '') === '');
  const latest: Record<Exclude<Line['kind'], 'finding' | 'correction' | 'unbooked'>, EventLine[]> = {
    order: [],
    fill: [],
    alarm: [],
    log: [],
  };
  let link: string | undefined;
  let followed: { readonly watch: RunWatch; readonly extras: () => StatusExtras } | undefined;
  let live: Trading | undefined;
  const draw = (): void => {
    if (live === undefined || followed === undefined) return;
    const model = viewModelOf(followed.watch, {
      title: { ...facts, exchange: exchangeWords(facts) },
      link,
      now: systemClock.now(),
      extras: followed.extras(),
      findings: live.now().findings,
      latest: { alarms: latest.alarm, fills: latest.fill, changes: latest.order, logs: latest.log },
    });
    screen.draw(frame(model, screen.size, colours));
  };
  const remember = (kind: keyof typeof latest, event: EventLine): void => {
    const kept = latest[kind];
    kept.push(event);
    if (kept.length > REMEMBERED) kept.shift();
  };
  return {
    everyMs: 250,
    opening: () => say(stdout, `opening ${facts.run}, seed ${facts.seed}, state in ${facts.state}`),
    served(what, url) {
      if (what === 'ui') link = url;
    },
    follow(watch, extras) {
      followed = { watch, extras };
    },
    begin(trading) {
      live = trading;
      screen.enter();
      draw();
    },
    ready: () => undefined,
    line(line) {
      const kind = line.kind === 'correction' || line.kind === 'unbooked' ? 'fill' : line.kind;
      if (kind !== 'finding') remember(kind, { at: line.at, text: lineWords(line) });
    },
    warn: (text) => remember('alarm', { at: timeText(systemClock.now()), text }),
    resumed: draw,
    stopping: draw,
    update: draw,
    end(outcome) {
      screen.leave();
      say(stdout, outcomeWords(outcome, facts));
    },
  };
}
