import type { Attack } from '../attack.ts';
import { choppedAddresses, slowAddresses } from './addresses.ts';
import {
  chunksOfAByte,
  chunksOfFortyBytes,
  chunksOfNineBytes,
  halfHeaders,
  hangUpsInLine,
  heldLogins,
  heldQueries,
  stalledUploads,
} from './bodies.ts';
import { cancelledQueue, deletedQueue } from './cancelling.ts';
import { branchingPdfs, breakingPdfs, hostileEstimates, unpaidPdfs } from './documents.ts';
import { unreadExports } from './exports.ts';
import {
  anonymousReads,
  anonymousStatus,
  dashboardFiles,
  introspectionOverHttp,
  introspectionOverSockets,
  longSubscriptions,
  manySubscriptions,
  packedFiles,
  shortMessages,
  unstorableKeys,
} from './graphql.ts';
import { permittedIntrospection, rewordedIntrospection } from './introspection.ts';
import { tooManyValues, undeclaredVariables, unknownFields, waitingDocuments } from './kept.ts';
import { failedLogins, fullQueue, manyKeys } from './limits.ts';
import { markedTexts } from './marks.ts';
import { inflatingPdfs } from './outputs.ts';
import { heavyReports, switchedHistory } from './owners.ts';
import { blockedPictures, cmykPictures, scannedPictures, untouchedPictures } from './pictures.ts';
import { denseAlto, densePages, denseReadings, denseResults } from './positions.ts';
import { longQueue } from './queues.ts';
import { lockedWallet, missingWallet, oldSnapshot, silentConnections, tinyConfidence } from './rows.ts';
import { deepNativeSettings, largeNativeSettings, manyLanguages } from './sizes.ts';
import { unreadAnswers, unreadPages, unreadSockets } from './unread.ts';

/** Every harmful thing that the reviews found, in their order, and what was found later. */
export const ATTACKS: readonly Attack[] = [
  introspectionOverHttp,
  introspectionOverSockets,
  stalledUploads,
  hangUpsInLine,
  halfHeaders,
  heldLogins,
  heldQueries,
  branchingPdfs,
  unpaidPdfs,
  scannedPictures,
  untouchedPictures,
  cmykPictures,
  blockedPictures,
  unstorableKeys,
  largeNativeSettings,
  deepNativeSettings,
  manyKeys,
  permittedIntrospection,
  rewordedIntrospection,
  longSubscriptions,
  shortMessages,
  manySubscriptions,
  fullQueue,
  manyLanguages,
  failedLogins,
  anonymousReads,
  dashboardFiles,
  packedFiles,
  tinyConfidence,
  missingWallet,
  lockedWallet,
  oldSnapshot,
  switchedHistory,
  longQueue,
  silentConnections,
  heavyReports,
  chunksOfAByte,
  chunksOfNineBytes,
  chunksOfFortyBytes,
  unreadAnswers,
  unreadSockets,
  markedTexts,
  slowAddresses,
  choppedAddresses,
  tooManyValues,
  unknownFields,
  undeclaredVariables,
  waitingDocuments,
  denseResults,
  densePages,
  denseAlto,
  cancelledQueue,
  deletedQueue,
  inflatingPdfs,
  unreadExports,
  unreadPages,
  hostileEstimates,
  anonymousStatus,
  breakingPdfs, // behind those that need a reading of theirs: for half a minute its account begins no document
  denseReadings, // the last one: what it has begun would be read before the documents of the next
];

/** Those that meet what another one of the list meets, with a document of another kind: for the runs that measure. */
const LIKE_OTHERS: readonly Attack[] = [
  branchingPdfs, // as hostileEstimates, which has money and has none
  chunksOfNineBytes, // between chunksOfAByte and chunksOfFortyBytes
  denseReadings, // as denseResults, which begins with such a reading
];

/** One of each kind. */
export const SAMPLE = ATTACKS.filter((attack) => !LIKE_OTHERS.includes(attack));
