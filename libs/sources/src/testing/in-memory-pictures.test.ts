import { InMemoryPictures } from './in-memory-pictures.ts';
import { pictureDerivativesContract } from './picture-derivatives-contract.ts';
import { picturesContract } from './pictures-contract.ts';

picturesContract('InMemoryPictures', () => new InMemoryPictures());
pictureDerivativesContract('InMemoryPictures', () => {
  const pictures = new InMemoryPictures();
  return { derivatives: pictures, pictures };
});
