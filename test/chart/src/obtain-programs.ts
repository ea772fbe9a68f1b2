/** Fetches and builds the programs and schemas that the tests of the chart run with. It takes minutes once, in no test's time. */
import { obtainHelm, obtainPromtool, downloads } from '@tocsin/testkit';
import { Kubeconform } from './testing/kubeconform.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

await obtainHelm(downloads(), say);
await obtainPromtool(downloads(), say);
const kubeconform = await Kubeconform.prepare();
await kubeconform.remove();
