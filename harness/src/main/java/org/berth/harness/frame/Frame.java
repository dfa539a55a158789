package org.berth.harness.frame;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Collections;
import java.util.List;

/**
 * The bytes of one line without its newline. A frame that the splitter lends lies in the reader's chunk or in the
 * splitter's segments and is good only during the call that brings it; {@link #keep()} makes one that stays.
 */
public final class Frame {
    /** Part of an array; {@code to} is exclusive. */
    record Piece(byte[] bytes, int from, int to) {}

    private final List<Piece> pieces;
    private final int byteCount;
    private final boolean ours;
    private boolean handedOver;

    private Frame(List<Piece> pieces, int byteCount, boolean ours) {
        this.pieces = pieces;
        this.byteCount = byteCount;
        this.ours = ours;
    }

    /** A frame within a chunk that its reader will fill again. */
    static Frame lent(byte[] chunk, int from, int to) {
        return new Frame(List.of(new Piece(chunk, from, to)), to - from, false);
    }

    /** A frame in segments that whoever keeps it takes over. */
    static Frame segmented(List<Piece> pieces, int byteCount) {
        return new Frame(pieces, byteCount, true);
    }

    List<Piece> pieces() {
        return pieces;
    }

    /** Whether the segments belong to somebody else now. */
    boolean handedOver() {
        return handedOver;
    }

    /** Bytes of the line, its newline not counted. */
    public int byteCount() {
        return byteCount;
    }

    /**
     * The same bytes, good for as long as the caller wants: a frame in segments hands them over, any other is copied.
     */
    public Frame keep() {
        if (ours) {
            handedOver = true;
            return this;
        }
        byte[] copy = bytes();
        return new Frame(List.of(new Piece(copy, 0, copy.length)), copy.length, true);
    }

    /** A new array with the bytes of the line. */
    public byte[] bytes() {
        byte[] all = new byte[byteCount];
        int at = 0;
        for (Piece piece : pieces) {
            System.arraycopy(piece.bytes, piece.from, all, at, piece.to - piece.from);
            at += piece.to - piece.from;
        }
        return all;
    }

    /** The bytes of the line as a stream, without a copy of them. */
    public InputStream open() {
        return new SequenceInputStream(Collections.enumeration(pieces.stream()
                .<InputStream>map(piece -> new ByteArrayInputStream(piece.bytes, piece.from, piece.to - piece.from))
                .toList()));
    }
}
