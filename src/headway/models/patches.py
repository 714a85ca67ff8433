"""Images for the same encoder: cut into patches, which are to an image what words are to a text.

    patches = patchify(images)           (B, c, h, w) → (B, T, c·p·p),  T = h/p · w/p
    x = [class token, patches W + b]     (B, 1 + T, C)
    hidden = blocks(x + positions)       (B, 1 + T, C)

A word is a one-hot vector of V numbers times an embedding matrix; a patch is a vector of V = c·p·p
numbers times such a matrix. From there on nothing is different. In the first layer already every
patch sees all others, where a convolution sees its neighbors; and as it is with words, without
positions the patches are a set.

Source: Dosovitskiy et al. 2021, section 3.1.
"""

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from headway.models.masked_model import Encoder
from headway.models.parts import ModelConfig
from headway.shapes import ShapeError


def patchify(images: Tensor, size: int) -> Tensor:
    """Images as sequences of square patches.

    Args:
        images: (B, c, h, w): channels, height, width in pixels.
        size: p, the side of a patch in pixels.

    Returns:
        (B, T, c·p·p): patches row by row from the top left; in each, the channels one after the
        other, and in each of them the pixels row by row.

    Raises:
        ShapeError: if images are not (B, c, h, w), or p does not divide height and width.
    """
    if images.dim() != 4:
        raise ShapeError(
            f"images have shape {tuple(images.shape)}, expected (B, c, h, w): batch, channels, "
            "height, width. Is it one image, or are the channels missing?"
        )
    B, c, h, w = images.shape
    rows, columns = check_patches(h, w, size)
    patches = images.reshape(B, c, rows, size, columns, size)
    return patches.permute(0, 2, 4, 1, 3, 5).reshape(B, rows * columns, c * size * size)


def check_patches(height: int, width: int, size: int) -> tuple[int, int]:
    """The numbers of patches in a column and in a row; raises ShapeError unless p divides both."""
    if size < 1 or height % size or width % size:
        raise ShapeError(
            f"images of {height} × {width} pixels do not divide into patches of {size} × {size}"
        )
    return height // size, width // size


@dataclass(frozen=True, kw_only=True)
class ImageConfig(ModelConfig):
    """The sizes of an `ImageModel`; V and N follow from them, the others are as in `ModelConfig`.

    Args:
        image: (c, h, w) of every image.
        patch: p, the side of a patch in pixels.

    Attributes:
        vocabulary: V = c·p·p, the numbers in a patch.
        context: N = 1 + T, a place for the class token and one for each patch.

    Raises:
        ShapeError: if p does not divide height and width.
    """

    image: tuple[int, int, int]
    patch: int
    vocabulary: int = field(init=False)
    context: int = field(init=False)

    def __post_init__(self):
        channels, height, width = self.image
        rows, columns = check_patches(height, width, self.patch)
        object.__setattr__(self, "image", tuple(self.image))  # a list, if it was read from a file
        object.__setattr__(self, "vocabulary", channels * self.patch**2)  # the class is frozen
        object.__setattr__(self, "context", 1 + rows * columns)
        super().__post_init__()


class ImageModel(Encoder):
    """Images in, a vector for each patch out, and before them one for the whole image.

    The heads of `headway.models.heads` read them as they read those of texts; `first_token` pools
    the class token.

    Args:
        config: the sizes.
        generator: draws the weights, on the CPU; same seed, same weights.
    """

    config: ImageConfig

    def __init__(self, config: ImageConfig, generator: torch.Generator):
        super().__init__(config, generator)
        self.projection = nn.Linear(config.vocabulary, config.width)
        config.draw(self.projection, generator)
        self.class_token = nn.Parameter(0.02 * torch.randn(1, 1, config.width, generator=generator))

    def forward(self, images: Tensor, mask: Tensor | None = None) -> Tensor:
        """Hidden states (B, 1 + T, C) of images (B, c, h, w).

        Args:
            images: all of the size that the config says.
            mask: bool, broadcastable to (B, 1, 1 + T, 1 + T); nothing is hidden if not given.

        Raises:
            ShapeError: if the images have another size.
        """
        if images.shape[1:] != self.config.image:
            raise ShapeError(
                f"images {tuple(images.shape)} do not fit a model of images "
                f"{('B', *self.config.image)}, (B, c, h, w)"
            )
        x = self.projection(patchify(images, self.config.patch))  # (B, T, C)
        return self.encode(torch.cat((self.class_token.expand(len(x), -1, -1), x), dim=1), mask)
