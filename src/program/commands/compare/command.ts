// The options of `bot compare`.
import { argument, defineCommand, type FlagsOf, option } from '../../declared.ts';

export const COMPARE = defineCommand({
  name: 'compare',
  about: 'show runs and backtests side by side',
  args: [argument('<runs...>', 'two or more: names or state directories of runs, or reports of backtests (.html or .json)')],
  options: [
    option('--report <file.html>', 'write a page with all figures and the returns in one chart'),
    option('--json', 'one JSON object on standard output'),
  ],
});
export type CompareFlags = FlagsOf<typeof COMPARE>;
