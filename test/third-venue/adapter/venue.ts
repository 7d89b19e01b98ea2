// The third exchange: `--exchange test/third-venue/adapter/venue.ts --url URL --key FILE --live`. The key file holds the name and the secret of the API
// key, separated by a space.
import { defineVenue } from 'tickwright/venue';
import { thirdClient } from './client.ts';
import type { ThirdKey } from './requests.ts';

function parse(text: string): ThirdKey | undefined {
  const [name, secret] = text.trim().split(' ');
  return name === undefined || secret === undefined ? undefined : { name, secret };
}

export default defineVenue<ThirdKey>({
  apiVersion: 1,
  name: 'third',
  version: '1.0.0',
  who: 'the third exchange',
  exampleUrl: 'https://third.example',
  keyFile: {
    hint: 'write the name of your key and its secret into it, in one line',
    parse,
    textOf: ({ name }) => `names the account ${name}`,
  },
  client: ({ dial, ...options }) => thirdClient({ ...options, dial: dial?.('/v1/stream') }),
});
