// The page of one run: all panels and charts.
import { ChartLibrary } from './charts/chart-library.tsx';
import { Charts } from './charts/charts.tsx';
import { Held } from './panels/held.tsx';
import { Ladder } from './panels/ladder.tsx';
import { Log } from './panels/log.tsx';
import { Margins } from './panels/margins.tsx';
import { Money } from './panels/money.tsx';
import { Periods } from './panels/periods.tsx';
import { Replay } from './panels/replay.tsx';
import { StatusBar } from './panels/status-bar.tsx';
import { WhyPanel } from './panels/why.tsx';
import { facts, isStale, problem } from './state/store.ts';

export function App() {
  if (problem.value !== undefined && (facts.value === undefined || problem.value.status === 401)) return <Problem />;
  if (facts.value === undefined) return <p class="wait">waiting for the run …</p>;
  return (
    <main class={isStale.value ? 'stale' : ''}>
      <StatusBar />
      <Money />
      <Margins />
      <div class="grid">
        <Ladder />
        <Charts />
        <Held />
        <Log />
      </div>
      <Periods />
      <Replay />
      <Footer />
      <WhyPanel />
    </main>
  );
}

const TITLES: Readonly<Record<number, string>> = { 0: 'No answer from the bot', 401: 'This page needs a link' };

function Problem() {
  const { status = 0, message = '' } = problem.value ?? {};
  return (
    <div class="wait">
      <h1>{TITLES[status] ?? 'This run cannot be shown'}</h1>
      <p>{message}</p>
      {status === 401 && (
        <p>
          A link opens once, within ten minutes. For another one, type <code>npm run bot -- ui link</code>.
        </p>
      )}
    </div>
  );
}

function Footer() {
  const { run, seed, versions, quality } = facts.value ?? {};
  return (
    <footer>
      <span>{run}</span>
      <span>seed {seed}</span>
      <span>tickwright {versions?.tickwright}</span>
      <ChartLibrary />
      {quality !== undefined && <span>data: {quality}</span>}
    </footer>
  );
}
