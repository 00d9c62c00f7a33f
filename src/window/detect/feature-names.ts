/** What the scorer knows of a candidate. The order is that of the columns of its table. */
export const FEATURES = [
  'kind',
  'width',
  'height',
  'aspect',
  'edge',
  'sameSize',
  'sameRow',
  // Groups of ink
  'members',
  'membersPerHeight',
  'gapInside',
  'gapSecond',
  'gapOutside',
  'gapRatio',
  'medianHeight',
  'heightSpread',
  'tallest',
  'footSpread',
  'density',
  'contrast',
  'saturation',
  'inkLuminance',
  'colours',
  'colourStep',
  'heightStep',
  'childShare',
  'underlined',
  'underlineFit',
  'ruleBelow',
  'ruleFit',
  'usualColour',
  'isRoot',
  'depth',
  'parentGrowth',
  'siblingColour',
  'siblingHeight',
  'isLeft',
  'river',
  'parentRiver',
  'splitStarts',
  'parentSplitStarts',
  'startsHere',
  'endsHere',
  'rootWidth',
  'rootGap',
  'rootHoles',
  'rootMembers',
  'pitchSpread',
  'gapSteps',
  'parentGapSteps',
  'above',
  'aboveStep',
  'aboveColour',
  'below',
  'belowStep',
  'belowColour',
  // The surface it lies on, or is
  'surfaceWidth',
  'surfaceHeight',
  'marginLeft',
  'marginRight',
  'marginTop',
  'marginBottom',
  'surfaceSolidity',
  'surfaceContrast',
  'surfaceRows',
  'surfaceShare',
  'surfaceFramed',
  'surfaceLuminance',
  'square',
  'surfaceSides',
  // Surfaces and frames
  'solidity',
  'groundContrast',
  'fillContrast',
  'fillLuminance',
  'framed',
  'insideRows',
  'insideShare',
  'insideSurfaces',
  'insideLeft',
  'insideCentre',
  'insideMiddle',
  'insideHeight',
  'insideGap',
  'insideContrast',
  'insideIcons',
  'groundWidth',
  'groundHeight',
  'neighbours',
] as const;

export type Feature = (typeof FEATURES)[number];

/** Writes one feature of the candidate in turn. */
export type SetFeature = (name: Feature, value: number) => void;

export const FEATURE_COUNT = FEATURES.length;

/** Column of each feature. */
export const COLUMN = Object.fromEntries(FEATURES.map((name, column) => [name, column])) as Record<
  Feature,
  number
>;

/** Largest value of ratios and of gaps in heights. */
export const FAR = 20;
