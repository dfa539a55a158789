package org.berth.process.protocol;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes and reads a record's components in their order. Components may be int, long, boolean, Integer, Long, String,
 * byte[], Instant, enums (by position), records, sealed interfaces of records (by position), List and
 * Map&lt;String,String&gt; of these. References may be null: one byte says so.
 */
public final class RecordCodec {
    private static final ConcurrentHashMap<Class<?>, RecordCodec> CODECS = new ConcurrentHashMap<>();
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /** Writes one value and reads it back. */
    private interface Part {
        void write(WireOutput out, Object value);

        Object read(ByteBuffer in);
    }

    private final MethodHandle constructor;
    private final MethodHandle[] accessors;
    private final Part[] parts;

    private RecordCodec(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        accessors = new MethodHandle[components.length];
        parts = new Part[components.length];
        Class<?>[] types = new Class<?>[components.length];
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                accessors[i] = LOOKUP.unreflect(components[i].getAccessor())
                        .asType(MethodType.methodType(Object.class, Object.class));
                parts[i] = part(components[i].getGenericType());
            }
            constructor = LOOKUP.findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no codec for " + type, e);
        }
    }

    /** The codec of a record type. */
    public static RecordCodec of(Class<?> record) {
        RecordCodec known = CODECS.get(record);
        if (known == null) {
            known = new RecordCodec(record);
            CODECS.put(record, known);
        }
        return known;
    }

    /** The bytes of one record, for a journal. */
    public static byte[] toBytes(Record value) {
        WireOutput out = new WireOutput(256);
        of(value.getClass()).write(out, value);
        byte[] bytes = new byte[out.size()];
        out.toBuffer().get(bytes);
        return bytes;
    }

    /** The record of the given bytes. @throws ProtocolException when they are not exactly one */
    public static <R extends Record> R fromBytes(Class<R> type, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        R value = type.cast(of(type).read(in));
        if (in.hasRemaining()) {
            throw new ProtocolException("bytes left over after a " + type.getSimpleName());
        }
        return value;
    }

    void write(WireOutput out, Object record) {
        try {
            for (int i = 0; i < parts.length; i++) {
                parts[i].write(out, (Object) accessors[i].invokeExact(record));
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    Object read(ByteBuffer in) {
        Object[] values = new Object[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                values[i] = parts[i].read(in);
            }
            return (Object) constructor.invokeExact(values);
        } catch (ProtocolException e) {
            throw e;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ProtocolException("malformed payload", e);
        }
    }

    private static Part part(Type type) {
        if (type instanceof ParameterizedType generic) {
            if (generic.getRawType() == List.class) {
                return list(part(generic.getActualTypeArguments()[0]));
            }
            if (generic.getRawType() == Map.class) {
                return map(part(generic.getActualTypeArguments()[1]));
            }
        }
        if (type instanceof Class<?> plain) {
            if (plain == int.class) {
                return of((out, v) -> out.putInt((int) v), ByteBuffer::getInt);
            } else if (plain == long.class) {
                return of((out, v) -> out.putLong((long) v), ByteBuffer::getLong);
            } else if (plain == boolean.class) {
                return of((out, v) -> out.putByte((byte) ((boolean) v ? 1 : 0)), in -> in.get() != 0);
            } else if (plain == Integer.class) {
                return nullable(part(int.class));
            } else if (plain == Long.class) {
                return nullable(part(long.class));
            } else if (plain == String.class) {
                return nullable(of(RecordCodec::writeText, RecordCodec::readText));
            } else if (plain == byte[].class) {
                return nullable(of(RecordCodec::writeBytes, RecordCodec::readBytes));
            } else if (plain == Instant.class) {
                return nullable(of(
                        (out, v) -> {
                            out.putLong(((Instant) v).getEpochSecond());
                            out.putInt(((Instant) v).getNano());
                        },
                        in -> Instant.ofEpochSecond(in.getLong(), in.getInt())));
            } else if (plain.isEnum()) {
                Object[] constants = plain.getEnumConstants();
                return nullable(of(
                        (out, v) -> out.putByte((byte) ((Enum<?>) v).ordinal()), in -> constants[in.get() & 0xff]));
            } else if (plain.isRecord()) {
                return nullable(
                        of((out, v) -> of(plain).write(out, v), in -> of(plain).read(in)));
            } else if (plain.isSealed()) {
                return nullable(sealed(List.of(plain.getPermittedSubclasses())));
            }
        }
        throw new IllegalStateException("no codec for a component of type " + type);
    }

    private interface Writer {
        void write(WireOutput out, Object value);
    }

    private interface Reader {
        Object read(ByteBuffer in);
    }

    private static Part of(Writer writer, Reader reader) {
        return new Part() {
            @Override
            public void write(WireOutput out, Object value) {
                writer.write(out, value);
            }

            @Override
            public Object read(ByteBuffer in) {
                return reader.read(in);
            }
        };
    }

    private static Part nullable(Part part) {
        return of(
                (out, v) -> {
                    out.putByte((byte) (v == null ? 0 : 1));
                    if (v != null) {
                        part.write(out, v);
                    }
                },
                in -> in.get() == 0 ? null : part.read(in));
    }

    private static Part sealed(List<Class<?>> types) {
        return of(
                (out, v) -> {
                    out.putByte((byte) types.indexOf(v.getClass()));
                    of(v.getClass()).write(out, v);
                },
                in -> of(types.get(in.get() & 0xff)).read(in));
    }

    private static Part list(Part part) {
        return nullable(of(
                (out, v) -> {
                    List<?> values = (List<?>) v;
                    out.putInt(values.size());
                    values.forEach(each -> part.write(out, each));
                },
                in -> {
                    int count = count(in);
                    List<Object> values = new ArrayList<>(Math.min(count, 1024));
                    for (int i = 0; i < count; i++) {
                        values.add(part.read(in));
                    }
                    return values;
                }));
    }

    private static Part map(Part part) {
        Part key = part(String.class);
        return nullable(of(
                (out, v) -> {
                    Map<?, ?> values = (Map<?, ?>) v;
                    out.putInt(values.size());
                    values.forEach((k, each) -> {
                        key.write(out, k);
                        part.write(out, each);
                    });
                },
                in -> {
                    int count = count(in);
                    Map<Object, Object> values = new LinkedHashMap<>();
                    for (int i = 0; i < count; i++) {
                        values.put(key.read(in), part.read(in));
                    }
                    return values;
                }));
    }

    private static int count(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining()) {
            throw new ProtocolException("a count of " + count + " is out of range");
        }
        return count;
    }

    private static void writeBytes(WireOutput out, Object value) {
        byte[] bytes = (byte[]) value;
        out.putInt(bytes.length);
        out.putBytes(bytes);
    }

    private static Object readBytes(ByteBuffer in) {
        byte[] bytes = new byte[count(in)];
        in.get(bytes);
        return bytes;
    }

    private static void writeText(WireOutput out, Object value) {
        writeBytes(out, ((String) value).getBytes(StandardCharsets.UTF_8));
    }

    private static Object readText(ByteBuffer in) {
        byte[] bytes = (byte[]) readBytes(in);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolException("text that is not UTF-8", e);
        }
    }
}
