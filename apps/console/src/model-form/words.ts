import { count } from '../text.ts';

const CHOOSE = 'choose another model.';

export const words = {
  cost: {
    from: 'from ',
    credits: (amount: number) => count(amount, 'credit'),
    per: { output: ' each', second: ' a second' },
  },
  end: {
    then: (successor: string, cost: string) => `${successor} goes on, ${cost}.`,
    ends: (model: string, day: string, then?: string) => `${model} ends on ${day}; ${then ? `then ${then}` : CHOOSE}`,
    ended: (model: string, then = CHOOSE) => `${model} has ended; ${then}`,
    gone: (model: string) => `${model} is no longer available from its provider; ${CHOOSE}`,
    untitled: (id: string) => `The model “${id}”`,
    unknown: (model: string) => `${model} is not offered any more; ${CHOOSE}`,
  },
  prompt: 'Prompt',
  promptHint: 'What to generate: a fox in the snow, soft light…',
  variables: 'Variables of the prompt',
  presets: {
    save: 'Save as preset',
    saveAction: 'Save',
    name: 'Name',
    saved: (name: string) => `Saved the preset “${name}”`,
    noVariables:
      'Everyone in the workspace can use it. Names in braces in the prompt, such as {animal}, become fields.',
    withVariables: (names: string) => `Everyone in the workspace can use it. Its fields are: ${names}.`,
  },
  settings: 'Settings',
  reset: 'Reset',
  byDefault: 'Default',
  auto: 'Auto',
  asJson: 'As JSON.',
  seedByService: 'Another one each time',
  drawSeed: 'Draw a seed',
  input: {
    title: 'Pictures',
    names: {
      image: 'Image',
      start_frame: 'Start frame',
      style: 'Style',
      references: 'References',
      mask: 'Mask',
      control: 'Control image',
    },
    reference: (position: number) => `Reference ${position}`,
    required: 'Required',
    optional: 'Optional',
    upTo: (most: number) => `Up to ${most}`,
    fromPersona: 'From persona',
    change: (label: string, name: string | null) => `${label}: ${name ?? 'none'}. Choose a picture`,
    upload: 'Upload a file…',
    stored: 'Choose a stored picture…',
    remove: 'Remove',
    leaveOut: 'Leave out',
    pick: (label: string) => `Choose a picture: ${label}`,
    uploading: (label: string) => `Uploading ${label}`,
    cancelUpload: (label: string) => `Cancel the upload of ${label}`,
  },
};
