import sharp from 'sharp';

/** A lighthouse on a cliff at dusk, as JPEG. */
export function aLighthouse(): Promise<Buffer> {
  return jpeg(`
    <defs>
      <linearGradient id="sky" x2="0" y2="1">
        <stop offset="0" stop-color="#233a6b"/><stop offset=".55" stop-color="#d98a6a"/><stop offset="1" stop-color="#f6d9a8"/>
      </linearGradient>
      <linearGradient id="sea" x2="0" y2="1"><stop offset="0" stop-color="#c98f78"/><stop offset="1" stop-color="#16324a"/></linearGradient>
      <filter id="soft"><feGaussianBlur stdDeviation="14"/></filter>
    </defs>
    <rect width="1200" height="900" fill="url(#sky)"/>
    <circle cx="330" cy="560" r="70" fill="#ffeec2"/><circle cx="330" cy="560" r="150" fill="#ffdf9a" opacity=".35" filter="url(#soft)"/>
    <g fill="#f3c3a0" opacity=".55" filter="url(#soft)">
      <ellipse cx="240" cy="240" rx="240" ry="24"/><ellipse cx="620" cy="330" rx="300" ry="20"/><ellipse cx="980" cy="180" rx="220" ry="22"/>
    </g>
    <rect y="600" width="1200" height="300" fill="url(#sea)"/>
    <g stroke="#ffe3b0" stroke-width="5" opacity=".6">
      <path d="M250 640h170M290 675h90M220 712h230M300 752h80"/>
    </g>
    <path d="M1200 900V470l-120 20-90-16-110 40-80 90-60 30-70 120-110 146z" fill="#1d2a30"/>
    <path d="M1200 900V560l-150 20-120 80-70 110-120 130z" fill="#2e4038"/>
    <path d="M850 214 120 96v220z" fill="#fff3c4" opacity=".32" filter="url(#soft)"/>
    <path d="M835 520 848 240h64l14 280z" fill="#f7efe4"/>
    <path d="M844 330h74l3 60h-80zM838 450h86l3 58h-92z" fill="#c0392b"/>
    <path d="M838 240h84v-14h-84zM850 226v-42h60v42z" fill="#22313a"/><path d="M858 222v-34h44v34z" fill="#ffe9a3"/>
    <path d="m842 184 38-36 38 36z" fill="#c0392b"/>
    <path d="M930 520v-62l52-34 52 34v62z" fill="#efe3d3"/><path d="m918 462 64-46 64 46z" fill="#8e2f25"/>
    <path d="M962 520v-34h26v34z" fill="#5a3b2e"/>`);
}

/** Warm and cold colours in thick strokes, as JPEG. */
export function aPainting(): Promise<Buffer> {
  const colours = ['#0d3b66', '#1b6ca8', '#f4a259', '#f25c54', '#f7e8c9', '#2a9d8f', '#e9c46a', '#7b2d43'];
  const strokes = Array.from({ length: 260 }, (_, at) => {
    const [x, y] = [(at * 397) % 1260, (at * 241) % 960];
    const bend = 60 + ((at * 53) % 120);
    const colour = colours[(at + Math.floor(y / 180)) % colours.length];
    return `<path d="M${x - 140} ${y}q${bend} ${-bend} 160 ${-20}t150 ${bend / 3}" stroke="${colour}"/>`;
  });
  return jpeg(`
    <defs><filter id="paint"><feTurbulence baseFrequency=".02 .06" numOctaves="3" seed="4"/>
      <feDisplacementMap in="SourceGraphic" scale="46" xChannelSelector="R" yChannelSelector="G"/></filter></defs>
    <rect width="1200" height="900" fill="#1b4965"/>
    <g filter="url(#paint)" fill="none" stroke-width="26" stroke-linecap="round" opacity=".92">${strokes.join('')}</g>`);
}

let painting: Promise<Buffer> | undefined;

/** One of many pictures with the colours of the painting and a little grain, as JPEG. */
export async function aMotif(number: number, width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 4 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
  painting ??= aPainting();
  return sharp(await painting)
    .rotate(90 * (number % 4))
    .resize(width, height, { fit: 'cover' })
    .modulate({ hue: 37 * number })
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

function jpeg(shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}

/** A photograph of twelve megapixels and some megabytes, upright: the lighthouse with the grain of a camera. */
export async function aPhotograph(): Promise<Buffer> {
  const [width, height] = [3000, 4000];
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
  return sharp(await aLighthouse())
    .resize(width, height)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}
