import { Migration20261121000000_first_house } from './Migration20261121000000_first_house.ts';
import { Migration20261121030000_sessions } from './Migration20261121030000_sessions.ts';

/** Every schema change, oldest first. */
export const MIGRATIONS = [Migration20261121000000_first_house, Migration20261121030000_sessions];
