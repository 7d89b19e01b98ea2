// The end of a run whose exchange has not answered for five minutes.
import { accountFails, stopsCleanly, timeFails } from './answerless-stage.ts';

stopsCleanly('the time, for five minutes', timeFails, 300);
stopsCleanly('the account, for five minutes', accountFails, 300);
