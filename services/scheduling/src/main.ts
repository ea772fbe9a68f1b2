import { runService } from '@tocsin/service';
import { compose, INDEXES } from './compose.ts';
import { Config } from './config.ts';

await runService({ name: 'scheduling', config: Config, indexes: INDEXES, compose });
