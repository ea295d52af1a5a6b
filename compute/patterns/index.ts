import type { Pattern } from '../model/pattern.js';
import { abandonedBaby } from './abandoned-baby.js';
import { advanceBlock } from './advance-block.js';
import { beltHold } from './belt-hold.js';
import { breakaway } from './breakaway.js';
import { closingMarubozu } from './closing-marubozu.js';
import { concealingBabySwallow } from './concealing-baby-swallow.js';
import { counterattack } from './counterattack.js';
import { darkCloudCover } from './dark-cloud-cover.js';
import { doji } from './doji.js';
import { dojiStar } from './doji-star.js';
import { dragonflyDoji } from './dragonfly-doji.js';
import { engulfing } from './engulfing.js';
import { eveningDojiStar } from './evening-doji-star.js';
import { eveningStar } from './evening-star.js';
import { gappingSideBySideWhiteLines } from './gapping-side-by-side-white-lines.js';
import { gravestoneDoji } from './gravestone-doji.js';
import { hammer } from './hammer.js';
import { hangingMan } from './hanging-man.js';
import { harami } from './harami.js';
import { haramiCross } from './harami-cross.js';
import { highWave } from './high-wave.js';
import { hikkake } from './hikkake.js';
import { homingPigeon } from './homing-pigeon.js';
import { identicalThreeCrows } from './identical-three-crows.js';
import { inNeck } from './in-neck.js';
import { invertedHammer } from './inverted-hammer.js';
import { kicking } from './kicking.js';
import { kickingByLength } from './kicking-by-length.js';
import { ladderBottom } from './ladder-bottom.js';
import { longLeggedDoji } from './long-legged-doji.js';
import { longLine } from './long-line.js';
import { marubozu } from './marubozu.js';
import { matHold } from './mat-hold.js';
import { matchingLow } from './matching-low.js';
import { modifiedHikkake } from './modified-hikkake.js';
import { morningDojiStar } from './morning-doji-star.js';
import { morningStar } from './morning-star.js';
import { onNeck } from './on-neck.js';
import { piercing } from './piercing.js';
import { rickshawMan } from './rickshaw-man.js';
import { risingFallingThreeMethods } from './rising-falling-three-methods.js';
import { separatingLines } from './separating-lines.js';
import { shootingStar } from './shooting-star.js';
import { shortLine } from './short-line.js';
import { spinningTop } from './spinning-top.js';
import { stalledPattern } from './stalled-pattern.js';
import { stickSandwich } from './stick-sandwich.js';
import { takuri } from './takuri.js';
import { tasukiGap } from './tasuki-gap.js';
import { threeBlackCrows } from './three-black-crows.js';
import { threeInside } from './three-inside.js';
import { threeLineStrike } from './three-line-strike.js';
import { threeOutside } from './three-outside.js';
import { threeStarsInSouth } from './three-stars-in-south.js';
import { threeWhiteSoldiers } from './three-white-soldiers.js';
import { thrusting } from './thrusting.js';
import { tristar } from './tristar.js';
import { twoCrows } from './two-crows.js';
import { uniqueThreeRiver } from './unique-three-river.js';
import { upsideDownsideGapThreeMethods } from './upside-downside-gap-three-methods.js';
import { upsideGapTwoCrows } from './upside-gap-two-crows.js';

/** Every candlestick pattern, in alphabetical order of the names. */
export const patterns: readonly Pattern[] = [
  abandonedBaby,
  advanceBlock,
  beltHold,
  breakaway,
  closingMarubozu,
  concealingBabySwallow,
  counterattack,
  darkCloudCover,
  doji,
  dojiStar,
  dragonflyDoji,
  engulfing,
  eveningDojiStar,
  eveningStar,
  gappingSideBySideWhiteLines,
  gravestoneDoji,
  hammer,
  hangingMan,
  harami,
  haramiCross,
  highWave,
  hikkake,
  homingPigeon,
  identicalThreeCrows,
  inNeck,
  invertedHammer,
  kicking,
  kickingByLength,
  ladderBottom,
  longLeggedDoji,
  longLine,
  marubozu,
  matHold,
  matchingLow,
  modifiedHikkake,
  morningDojiStar,
  morningStar,
  onNeck,
  piercing,
  rickshawMan,
  risingFallingThreeMethods,
  separatingLines,
  shootingStar,
  shortLine,
  spinningTop,
  stalledPattern,
  stickSandwich,
  takuri,
  tasukiGap,
  threeBlackCrows,
  threeInside,
  threeLineStrike,
  threeOutside,
  threeStarsInSouth,
  threeWhiteSoldiers,
  thrusting,
  tristar,
  twoCrows,
  uniqueThreeRiver,
  upsideDownsideGapThreeMethods,
  upsideGapTwoCrows,
];
