import { runService } from '@tocsin/service';
import { compose } from './compose.ts';
import { Config } from './config.ts';

await runService({ name: 'gateway', config: Config, indexes: [], compose });
