import type { Job } from '../job.ts';
import { acting } from './act.ts';
import { reading } from './read.ts';
import { refusing } from './refuse.ts';
import { wholeJobs } from './whole.ts';

export const jobs: readonly Job[] = [...reading, ...acting, ...wholeJobs, ...refusing];
