/** Makes a process run a release other than that of the repository: `--import=<this file>?release=<its name>`. */
import { editSourcesAtLoad } from '@tocsin/testkit/source-edits';
import { editsOf } from './releases.ts';

editSourcesAtLoad(editsOf(new URL(import.meta.url).searchParams.get('release') ?? ''));
