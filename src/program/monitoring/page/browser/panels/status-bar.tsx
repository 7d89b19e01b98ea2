// The top line: real money or not, mode, age of the data, unknown orders; and the buttons that stop the run.
import { effect } from '@preact/signals';
import type { PageStatus } from '../../contract.ts';
import { age, signed } from '../format.ts';
import { changeTheme, isUtc, theme } from '../state/settings.ts';
import { books, ended, facts, isDisconnected, isStale, market, now, replay, status, turnAt } from '../state/store.ts';
import { HoldButton } from './hold-button.tsx';

/** True if the run was opened from a list of runs, to which a link leads back. */
const isListed = new URLSearchParams(location.search).has('run');

export function StatusBar() {
  const { live, run, strategy, exchange, markets = [], control } = facts.value ?? {};
  const shown = status.value;
  if (shown === undefined) return null;
  return (
    <header class={`status-bar ${live === true ? 'real' : 'practice'}`}>
      <div class="line">
        <strong class="money">{moneyWords()}</strong>
        <span class="name">
          <b>{strategy}</b> on {exchange}
        </span>
        {isListed && (
          <a class="back" href="/" title="all runs">
            ← {run}
          </a>
        )}
        {markets.map(({ symbol }) => (
          <button key={symbol} type="button" class={`tab ${symbol === market.value ? 'on' : ''}`} onClick={() => (market.value = symbol)}>
            {symbol}
          </button>
        ))}
      </div>
      <div class="line facts">
        <Mode shown={shown} />
        <Age name="book" asked={books.value[market.value]?.asked} most={2_000} />
        <Age name="account" asked={shown.accountAsked} most={5_000} />
        <Fact name="unknown" text={String(shown.unknown)} tone={shown.unknown > 0 ? 'bad' : 'good'} />
        {shown.watchdog !== undefined && shown.watchdog !== 'none' && (
          <Fact name="watchdog" text={shown.watchdog} tone={shown.watchdog === 'ok' ? 'good' : 'bad'} />
        )}
        {shown.unhealthy.length > 0 && <Fact name="faults" text={String(shown.unhealthy.length)} tone="bad" />}
      </div>
      <div class="line buttons">
        {control === true && !ended.value && (
          <>
            <HoldButton mode="close-only" label="close only" />
            <HoldButton mode="kill" label="stop" />
          </>
        )}
        <SettingButtons />
      </div>
      {isStale.value && (
        <p class="band">{replay.value === undefined ? `${staleWords()} for ${age(now.value - turnAt.value)}` : 'bot ui does not answer'}</p>
      )}
    </header>
  );
}

/** The buttons of the settings of this browser, also on the list of runs. */
export const SettingButtons = () => (
  <>
    <button type="button" class="plain" title="local time or UTC" onClick={() => (isUtc.value = !isUtc.value)}>
      {isUtc.value ? 'UTC' : 'local'}
    </button>
    <button type="button" class="plain" title="dark or light" aria-label="dark or light" onClick={changeTheme}>
      {theme.value === 'dark' ? '☀' : '☾'}
    </button>
  </>
);

/** A page of `bot ui` has a server of its own: if it does not answer, the run may go on. */
function staleWords(): string {
  if (!isDisconnected.value) return 'no data from the bot';
  return facts.value?.delayMs === undefined ? 'the bot has not answered' : 'bot ui does not answer; the run itself may go on; no data';
}

function moneyWords(): string {
  if (replay.value !== undefined) return 'REPLAY';
  if (ended.value) return 'ENDED';
  return facts.value?.live === true ? 'LIVE · real money' : 'PRACTICE · no real money';
}

function Mode({ shown: { mode, modeReason, stopping } }: { shown: PageStatus }) {
  if (ended.value) return <Fact name="mode" text="ended" tone="old" />;
  if (stopping !== undefined) return <Fact name="mode" text="stopping" tone="bad" title={stopping} />;
  return <Fact name="mode" text={mode} tone={mode === 'active' ? 'good' : 'bad'} title={modeReason} />;
}

interface FactParts {
  readonly name: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'old';
  readonly title?: string | undefined;
}

const MARKS = { good: '●', bad: '▲', old: '○' } as const;

function Fact({ name, text, tone, title }: FactParts) {
  return (
    <span class={`fact ${tone}`} title={title ?? ''}>
      <i>{MARKS[tone]}</i>
      <span class="label">{name}</span> <b>{text}</b>
    </span>
  );
}

function Age({ name, asked, most }: { name: string; asked: number | undefined; most: number }) {
  if (asked === undefined) return <Fact name={name} text="none yet" tone="old" />;
  const ms = now.value - asked;
  const limit = most + (facts.value?.delayMs ?? 0);
  return <Fact name={name} text={age(ms)} tone={ended.value || ms > limit ? 'old' : 'good'} />;
}

function iconColour(isWell: boolean): string {
  if (isStale.value || ended.value) return '#8a94a6';
  return isWell ? '#2ebd85' : '#f6465d';
}

/** Shows mode and profit in the title and the icon, so that they are visible while the tab is in the background. */
effect(() => {
  const shown = status.value;
  if (shown === undefined) return;
  const isWell = shown.mode === 'active' && shown.unknown === 0 && !isStale.value;
  document.title = `${isWell ? '●' : '▲'} ${signed(shown.pnl)} ${facts.value?.strategy ?? ''}`;
  const colour = iconColour(isWell);
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="${colour}"/></svg>`;
  document.getElementById('icon')?.setAttribute('href', `data:image/svg+xml,${encodeURIComponent(icon)}`);
});
